/** Imports from a server, by the command line and over a network that fails. */
package io.entroq.server.importing;
