/**
 * The commands that read the past of a data directory: what steps did, and the state as it was.
 * They write nothing to it, and an engine may be running in it. {@code tail}, {@code history} and
 * {@code diff} also read the feed of a server.
 */
package io.entroq.server.cli.history;
