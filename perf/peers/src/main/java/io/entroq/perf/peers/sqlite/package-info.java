/** SQLite as a peer: a table with leases in this process, one writer at a time. */
package io.entroq.perf.peers.sqlite;
