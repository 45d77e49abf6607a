/**
 * `npm run staff -- …`: adds the first owner of a laundry and other people, makes their links to
 * set a password, lists and removes them. The console does the same for an owner.
 */
import { transaction, type Db } from '../src/db/database.server.ts';
import { systemClock } from '../src/lib/clock.ts';
import { unassignOrdersOf } from '../src/domains/order-desk/riders-service.server.ts';
import { laundryCommand } from '../src/domains/staff/authentication.server.ts';
import { ROLES, setPerson, type PersonChange } from '../src/domains/staff/desk/contract.ts';
import { changePerson, issueLink, listPeople } from '../src/domains/staff/service.server.ts';
import { printableLine } from '../src/lib/printable-text.ts';
import { parseSettings } from '../src/settings.server.ts';
import { commandAuthor } from './command-author.ts';
import { describePeople } from './describe-people.ts';
import { UsageError, runCommand, type Commands } from './run-command.ts';

const USAGE = `npm run staff -- add <${ROLES.join(' | ')}> <mobile> <name>
npm run staff -- link <mobile>
npm run staff -- remove <mobile>
npm run staff -- list`;

const commands: Commands = {
  add: {
    parameters: ['role', 'mobile'],
    acceptsMore: true,
    async run(db, role: string, mobile: string, ...name: string[]) {
      if (!ROLES.some((known) => known === role)) throw new UsageError(`'${role}' is not a role: ${ROLES.join(', ')}. Nothing was done.`);
      if (name.length === 0) throw new UsageError(`The name is missing: npm run staff -- add ${role} ${mobile} <name>. Nothing was done.`);
      const { personid, link } = await change(db, { action: 'add', role, mobile, name: name.join(' ') });
      return `Added: ${role} ${name.join(' ')}, mobile ${mobile}, id ${personid}.\n${describeLink(link)}`;
    },
  },
  link: {
    parameters: ['mobile'],
    async run(db, mobile: string) {
      const { personid, name } = await personOf(db, mobile);
      const { link } = await change(db, { action: 'link', personid });
      return `${describeLink(link)}\nIt is for ${printableLine(name)}, mobile ${mobile}.`;
    },
  },
  remove: {
    parameters: ['mobile'],
    async run(db, mobile: string) {
      const { personid, name, role } = await personOf(db, mobile);
      await change(db, { action: 'remove', personid });
      return `Removed: ${role} ${printableLine(name)}, mobile ${mobile}. Every session has ended.`;
    },
  },
  list: {
    parameters: [],
    async run(db) {
      const lines = await describePeople(db);
      return lines.length > 0 ? lines.join('\n') : 'Nobody works here yet: add an owner.';
    },
  },
};

/** Makes the change and, for a new person or `link`, the link. Throws `UsageError`. */
async function change(db: Db, body: Record<string, unknown>): Promise<{ personid: string; link: string | null }> {
  const { data, error } = setPerson.body.safeParse(body);
  if (error) throw new UsageError(messageOf(error.issues[0]?.message));
  return transaction(db, async (tx) => {
    const now = systemClock.now();
    const author = commandAuthor();
    if (data.action === 'remove') await unassignOrdersOf(tx, { laundry: laundryCommand(), author }, data.personid, now);
    const result = await changePerson(tx, author, data satisfies PersonChange, now);
    if (result.error) throw new UsageError(result.error.message);
    const { personid } = result.data;
    const needsLink = data.action === 'add' || data.action === 'link';
    return { personid, link: needsLink ? await issueLink(tx, author, personid, now) : null };
  });
}

/** The text of an invalid field. A field without a text of its own, such as the role: the usage. */
const messageOf = (code = '') => (setPerson.errors as Readonly<Record<string, string>>)[code] ?? USAGE;

function describeLink(link: string | null): string {
  const { publicUrl, port } = parseSettings(process.env);
  return `Open this link within a day to set a password, once: ${publicUrl ?? `http://localhost:${port}`}${link}`;
}

/** Throws `UsageError` if no person of the staff has the mobile. */
async function personOf(db: Db, mobile: string) {
  const person = (await listPeople(db)).find((row) => row.mobile === mobile);
  if (!person) throw new UsageError(`No person of the staff has the mobile '${mobile}'.`);
  return person;
}

await runCommand(commands, USAGE);
