/**
 * Limits on calls: {@link io.entroq.service.limit.Limit} names each limit, a {@link
 * io.entroq.service.limit.Budget} counts how much of it is taken, and an {@link
 * io.entroq.service.limit.Origin} how much one connection or address has taken. Any package may use
 * them. Any thread.
 */
package io.entroq.service.limit;
