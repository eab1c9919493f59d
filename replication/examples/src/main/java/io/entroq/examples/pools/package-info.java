/**
 * Pools: many queues that share workers, one queue for each tenant or key.
 *
 * <p>{@link io.entroq.examples.pools.FairTenants} shares workers among tenants, whatever one of
 * them sends. {@link io.entroq.examples.pools.OrderedAccounts} does the work of each account in
 * order, and that of different accounts at the same time. Workers call handlers on their own
 * threads. It has two types, because each is a program of its own.
 */
package io.entroq.examples.pools;
