/**
 * Pages of listings: encoded as Results, filled by the thread that owns the state machine a slice
 * at a time, read by whoever asked. Between two pages a listing costs the engine nothing, so those
 * who read slowly hold nothing up.
 */
package io.entroq.engine.result;
