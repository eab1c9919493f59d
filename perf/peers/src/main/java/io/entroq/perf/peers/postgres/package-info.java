/** PostgreSQL as a peer: a table, and claims that skip what others have locked. */
package io.entroq.perf.peers.postgres;
