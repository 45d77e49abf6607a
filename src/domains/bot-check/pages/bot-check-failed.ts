/** The browser could not solve the challenge in time, or the bot check itself failed. */
export class BotCheckFailed extends Error {
  override name = 'BotCheckFailed';
}
