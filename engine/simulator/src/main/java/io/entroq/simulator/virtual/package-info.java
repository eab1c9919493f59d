/**
 * What a simulated world runs on: time that passes when told to, chance from a seed, and a trace of
 * all that happened. Equal on every machine and JDK. One thread.
 */
package io.entroq.simulator.virtual;
