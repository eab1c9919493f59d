/**
 * Spring Boot: an {@link io.entroq.api.EntroQ} by configuration, {@linkplain
 * io.entroq.spring.QueueListener methods of beans} as workers, {@link
 * io.entroq.spring.EntroQTemplate} to enqueue objects, and health, metrics and an endpoint where
 * the application has the actuator.
 *
 * <p>Listeners run on the threads of their workers. Everything else is called by Spring.
 */
package io.entroq.spring;
