/**
 * Accounts for every task of a run: values that identify tasks, and what has become of each.
 * Callers settle tasks on many threads, without locks.
 */
package io.entroq.load.ledger;
