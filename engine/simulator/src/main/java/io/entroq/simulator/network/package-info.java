/**
 * The wire between clients and whoever serves them: takes its time, and loses, delays, doubles and
 * reorders what it carries. Equal for equal seeds. One thread.
 */
package io.entroq.simulator.network;
