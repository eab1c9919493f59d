package io.entroq.spring;

import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.Worker;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a bean the handler of a {@link Worker}, which starts and stops with the
 * application.
 *
 * <pre>{@code @QueueListener("orders")
 * void ship(Order order) { ... }
 * }</pre>
 *
 * <p><b>Parameters</b>, in any order and each at most once: the payload, {@link Task}, {@link
 * WorkContext}. The payload is what has another type: {@code String}, {@code byte[]}, {@link
 * io.entroq.api.Value}, or a type that Jackson reads from JSON. A task whose value cannot be
 * decoded goes to the error queue.
 *
 * <p><b>Result.</b> {@code void}: the task is done and deleted. {@link Modification}: the same, and
 * the modification is applied with it, all or nothing. {@link Outcome}: what it says.
 *
 * <p><b>Exceptions.</b> The task is retried after a growing delay, and goes to the error queue,
 * {@code QUEUE/err}, after the last attempt, or at once with what {@link #quarantine} names.
 *
 * <p>Called concurrently if {@link #concurrency} is above 1. All texts may have {@code
 * ${placeholders}}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface QueueListener {
  /** The queues to claim from; at least one. */
  String[] value();

  /** Its name in metrics and the endpoint, used once. Default: {@code bean.method}. */
  String name() default "";

  /**
   * How many tasks to handle at once, from 1 to 100,000. Default: {@code
   * entroq.listener.concurrency}.
   */
  String concurrency() default "";

  /**
   * How long a task stays claimed if the application dies, such as {@code 30s}. Default: {@code
   * entroq.listener.lease}.
   */
  String lease() default "";

  /**
   * After how many failures a task goes to the error queue; 0 for never. Default: {@code
   * entroq.listener.attempts}.
   */
  String attempts() default "";

  /** Exceptions, and their subclasses, after which a task is not retried. */
  Class<? extends Throwable>[] quarantine() default {};
}
