/**
 * The commands on a log: reading, verifying and repairing it, its backups and its behavior level.
 *
 * <p>Called on the main thread. Commands read options and print; {@code io.entroq.tools.log} and
 * {@code io.entroq.engine} do the work.
 */
package io.entroq.server.cli.log;
