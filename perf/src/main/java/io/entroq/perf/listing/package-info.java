/**
 * What listings cost others: the latency of claims with and without a listing beside them, in
 * alternating slices of one run.
 */
package io.entroq.perf.listing;
