/**
 * The dry weight of a piece of clothing, in grams, from light to heavy. Sources, read in November
 * 2026:
 *
 * - D: dummies.com, G. Chilton, "How to Get Cleaner Clothes by Weighing Them First" (T-shirt 125,
 *   shirt 200 to 300, jeans 700, dress 150 to 350, jumper 350 to 450, socks 50, briefs 40, hand
 *   towel 350, bath towel 700, double sheet 800).
 * - H: how.edu.vn, "How Much Do Clothes Weigh" (T-shirt 5 to 8 oz, jeans 16 to 24 oz, wool sweater
 *   16 to 32 oz, skirt 8 to 16 oz, underwear 1 to 3 oz, socks 2 to 4 oz).
 * - L: My Locker Laundry, "What makes 7 kg of laundry" (shirt 200, trousers 500, T-shirt 180, towel
 *   900).
 * - T: Tulsi Silks, "The Number Story" (saree 850 to 900).
 * - C: calculated from the cloth. A kurta needs 2 to 3 m of cotton, 1.1 m wide, of 100 to 140 g/m².
 *   A cotton saree is 5.5 m of 60 g/m² or more.
 *
 * If the sources have a single weight, the range is that weight minus and plus 20 %.
 */
import { msg, type MessageKey } from '../../../i18n/messages.ts';

export interface Garment {
  name: MessageKey;
  /** The weight of one piece. */
  gramsLow: number;
  gramsHigh: number;
}

const garment = (name: MessageKey, gramsLow: number, gramsHigh: number): Garment => ({ name, gramsLow, gramsHigh });

export const GARMENTS: readonly Garment[] = [
  garment(msg('T-shirt'), 125, 225), // D, H
  garment(msg('Shirt'), 200, 300), // D, L
  garment(msg('Trousers'), 400, 600), // L
  garment(msg('Jeans'), 450, 700), // D, H
  garment(msg('Kurta'), 220, 460), // C
  garment(msg('Saree'), 360, 900), // C, T
  garment(msg('Dress'), 150, 350), // D
  garment(msg('Skirt'), 225, 450), // H
  garment(msg('Sweater'), 350, 900), // D, H
  garment(msg('Underwear'), 30, 85), // D, H
  garment(msg('Socks, pair'), 50, 115), // D, H
  garment(msg('Towel'), 350, 900), // D, L
  garment(msg('Bedsheet, double'), 640, 960), // D
];
