/**
 * The settings of a server: a table of settings, each set by a flag, an environment variable or a
 * line of a configuration file, in this order of precedence, with a default.
 *
 * <p>{@link io.entroq.server.settings.ServerSettings} has the tables; each section has a class. The
 * help of {@code serve} and {@code node} and the page SETTINGS.md are generated from them. Read on
 * the main thread at the start of a command; values are immutable. Nothing here acts on a setting.
 */
package io.entroq.server.settings;
