/** The kinds of trouble that a world makes, and how many of each it has made. One thread. */
package io.entroq.simulator.fault;
