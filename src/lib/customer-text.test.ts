import { describe, expect, test } from 'vitest';
import { LETTER_OR_DIGIT, limitMarks, publicFirstName, publicName } from './customer-text.ts';

/** Names in the scripts of India and its neighbours, and one with decomposed accents. */
const NAMES = [
  'श्रीमती ज़ोया फ़ातिमा',
  'कृष्णमूर्ति ज्ञानेन्द्र',
  'ऋषिकेश हाँडा',
  'அ. ப. ஜெ. அப்துல் கலாம்',
  'ஸ்ரீநிவாசன் சுப்பிரமணியன்',
  'বন্দ্যোপাধ্যায় চাঁদ',
  'শ্রীকৃষ্ণ ঘোষ',
  'శ్రీనివాసులు',
  'ಕೃಷ್ಣಮೂರ್ತಿ',
  'ശ്രീക്കുട്ടൻ',
  'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ',
  'જ્યોતિ પટેલ',
  'ଶ୍ରୀକାନ୍ତ',
  'ශ්‍රී ලාල්',
  'مُحَمَّد عَلِيّ',
  'བསྟན་འཛིན་རྒྱ་མཚོ',
  'ကျော်ဇွာ မြင့်',
  'Nguyễn Thị'.normalize('NFD'),
];

const ZALGO = `A${'\u0300\u0316\u0489'.repeat(20)}s${'\u20DD'.repeat(9)}ha`;

describe('combining marks', () => {
  test.each(NAMES)('%s is unchanged', (name) => {
    expect(limitMarks(name)).toBe(name);
  });

  test('keeps four marks of a letter', () => {
    expect(limitMarks(ZALGO)).toBe('A\u0300\u0316\u0489\u0300s\u20DD\u20DD\u20DD\u20DDha');
    expect(limitMarks(`a${'\u0300\u0301\u200D\uFE0F\u2060'.repeat(30)}`)).toBe('a\u0300\u0301\u200D\uFE0F');
  });

  test('keeps emoji', () => {
    for (const emoji of ['👨‍👩‍👧‍👦', '👁️‍🗨️', '👩🏽‍❤️‍💋‍👨🏾', '🇮🇳']) expect(limitMarks(emoji)).toBe(emoji);
  });
});

test.each(['Asha', '7', '७', 'आ', 'க', 'ক', '王', 'ß'])('%s has a letter or digit', (text) => {
  expect(LETTER_OR_DIGIT.test(text)).toBe(true);
});

test.each([['\u3164\u3164'], ['\u115F\u1160'], ['\uFFA0'], ['\u2800\u2800'], ['\u0301\u0301'], ['\u200B\u200D'], ['..--'], ['💧💧'], ['']])(
  '%j has no letter or digit',
  (text) => {
    expect(LETTER_OR_DIGIT.test(text)).toBe(false);
  },
);

describe('the name that others see', () => {
  test.each(NAMES.filter((name) => !name.includes('.')))('%s is unchanged', (name) => {
    expect(publicName(name)).toBe(name);
  });

  test.each([
    ['Asha Rao', 'Asha Rao', 'Asha'],
    ['  Asha   Rao ', 'Asha Rao', 'Asha'],
    ["Meera D'Souza-Nair Jr.", "Meera D'Souza-Nair Jr.", 'Meera'],
    ['R.K.Sharma', 'R K Sharma', 'R'],
    ['Dr. Asha', 'Dr. Asha', 'Dr.'],
    ['Ward 12 Sector 82', 'Ward 12 Sector 82', 'Ward'],
    ['https://evil.example/win', 'https evil example/win', 'https'],
    ['evil.example', 'evil example', 'evil'],
    ['evil．example wa。me', 'evil example wa me', 'evil'],
    ['asha@evil.example', 'asha evil example', 'asha'],
    ['Call 98765 43210 now', 'Call now', 'Call'],
    ['+91-98765-43210 Asha', 'Asha', 'Asha'],
    ['९८७६५४३२१० आशा', 'आशा', 'आशा'],
    ['98.76.54.32.10', '', ''],
    ['', '', ''],
    ['W'.repeat(200), 'W'.repeat(40), 'W'.repeat(20)],
    ['🧺'.repeat(50), '🧺'.repeat(40), '🧺'.repeat(20)],
    [ZALGO, 'A\u0300\u0316\u0489\u0300s\u20DD\u20DD\u20DD\u20DDha', 'A\u0300\u0316\u0489\u0300s\u20DD\u20DD\u20DD\u20DDha'],
  ])('%j becomes %j, its first name %j', (name, whole, first) => {
    expect([publicName(name), publicFirstName(name)]).toEqual([whole, first]);
  });
});
