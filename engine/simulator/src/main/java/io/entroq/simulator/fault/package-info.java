/**
 * The kinds of faults that a world injects, their timing, and how often each occurred. One thread.
 */
package io.entroq.simulator.fault;
