package io.entroq.api;

/**
 * What has happened to a record when its reply is sent.
 *
 * <table>
 * <caption>The three levels</caption>
 * <tr><th>level</th><th>a reply means</th><th>it survives</th></tr>
 * <tr><td>{@link #NONE}</td><td>applied</td><td>nothing</td></tr>
 * <tr><td>{@link #OS}</td><td>in the page cache</td><td>a crash of the process, kill -9</td></tr>
 * <tr><td>{@link #DISK}</td><td>forced to the disk, many commands per force</td>
 *     <td>a power failure</td></tr>
 * </table>
 *
 * <p>The level applies to reads too: a read never returns data that could still be lost.
 */
public enum Durability {
  /** The request was applied in memory. */
  NONE,
  /** The operating system has the record. */
  OS,
  /** The disk has the record. */
  DISK
}
