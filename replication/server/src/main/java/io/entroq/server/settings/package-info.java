/**
 * What a server can be told: a table of settings, each of which may be given by a flag, by an
 * environment variable or in a configuration file, in that order, and has a default.
 *
 * <p>{@link io.entroq.server.settings.ServerSettings} is the table of a server, {@link
 * io.entroq.server.settings.NodeSettings} that of a node, with a class for each of their sections;
 * the help of the command and the page for its users are made from it. Nothing here acts on a
 * setting.
 */
package io.entroq.server.settings;
