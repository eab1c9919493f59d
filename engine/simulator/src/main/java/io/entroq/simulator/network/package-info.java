/**
 * The network between clients and engine. It delays, loses, duplicates and reorders messages. Equal
 * seeds give equal behavior. One thread.
 */
package io.entroq.simulator.network;
