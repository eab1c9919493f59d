/**
 * What passes between clients and whoever serves them: encoded requests and replies, and the two
 * ends of the wire. The network is in between, and either end may be replaced: one engine, or
 * several members that share a log. One thread.
 */
package io.entroq.simulator.call;
