/** The client against real servers, over loopback. */
package io.entroq.server.remote;
