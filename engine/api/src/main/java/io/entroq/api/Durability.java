package io.entroq.api;

/**
 * What a reply guarantees.
 *
 * <table>
 * <caption>The three levels, named the same everywhere</caption>
 * <tr><th>level</th><th>a reply means</th><th>it survives</th></tr>
 * <tr><td>{@link #NONE}</td><td>applied</td><td>nothing promised</td></tr>
 * <tr><td>{@link #OS}</td><td>in the page cache</td><td>a crash of the process, kill -9</td></tr>
 * <tr><td>{@link #DISK}</td><td>forced to the disk, many commands to one force</td>
 *     <td>loss of power</td></tr>
 * </table>
 *
 * <p>The level holds for replies of reads too: a read never returns what could still be lost.
 */
public enum Durability {
  /** A reply means that the request was applied in memory. */
  NONE,
  /** A reply means that the operating system has the record of it. */
  OS,
  /** A reply means that the disk has the record of it. */
  DISK
}
