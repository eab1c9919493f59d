/**
 * What limits calls: {@link io.entroq.service.limit.Limit} names each limit, a {@link
 * io.entroq.service.limit.Budget} counts what is taken of it, and an {@link
 * io.entroq.service.limit.Origin} knows how much of it one connection or address has taken. Any
 * package may use them. Any thread.
 */
package io.entroq.service.limit;
