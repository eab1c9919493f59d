/** The kinds of faults that a world injects, and how often each occurred. One thread. */
package io.entroq.simulator.fault;
