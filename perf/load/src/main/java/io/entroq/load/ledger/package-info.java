/**
 * Accounts for every task of a run by values that identify tasks. Callers settle tasks on many
 * threads, without locks.
 */
package io.entroq.load.ledger;
