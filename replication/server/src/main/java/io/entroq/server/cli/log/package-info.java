/**
 * The commands for logs: reading, verifying and repairing them, backups, and the behavior level.
 * Called on the main thread. {@code io.entroq.tools.log} and {@code io.entroq.engine} do the work.
 */
package io.entroq.server.cli.log;
