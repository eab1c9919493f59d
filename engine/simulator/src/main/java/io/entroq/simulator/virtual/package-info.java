/**
 * What a simulated world runs on: virtual time, seeded random numbers, and a trace of all events.
 * Equal on every machine and JDK. One thread.
 */
package io.entroq.simulator.virtual;
