/**
 * Spring Boot: an {@link io.entroq.api.EntroQ} by configuration, {@linkplain
 * io.entroq.spring.QueueListener methods of beans} as workers, and {@link
 * io.entroq.spring.EntroQTemplate} to enqueue objects. Where the application has what they need: a
 * {@link io.entroq.spring.TransactionalOutbox} to enqueue in transactions, health, metrics, an
 * endpoint, and traces.
 *
 * <p>Listeners run on the threads of their workers, the relay of an outbox on its own. Everything
 * else is called by the application or by Spring.
 */
package io.entroq.spring;
