/** The bot check could not be passed here: the puzzle expired, the browser cannot solve it, or the check itself is broken. */
export class BotCheckFailed extends Error {
  override name = 'BotCheckFailed';
}
