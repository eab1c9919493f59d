/**
 * The commands that read the past of a data directory: what steps did, and the state as it was.
 * They write nothing to it, and an engine may be running in it. {@code tail} also shows what
 * happens on a server.
 */
package io.entroq.server.cli.history;
