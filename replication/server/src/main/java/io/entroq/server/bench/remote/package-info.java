/**
 * A queue on a server to put load on. Only this and {@link io.entroq.server.bench.local} know what
 * kind of queue there is.
 */
package io.entroq.server.bench.remote;
