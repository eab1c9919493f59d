package io.entroq.spring;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.TaskId;
import java.util.Objects;
import java.util.function.UnaryOperator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Enqueues objects: a string as text, bytes and {@link io.entroq.api.Value values} as they are, all
 * else as JSON. Everything else is done with the {@link EntroQ} itself.
 *
 * <pre>{@code
 * template.enqueue("orders", order);
 * template.enqueue("orders", order, task -> task.withId("order-7").availableIn(Duration.ofHours(1)));
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class EntroQTemplate {
  private final EntroQ queue;
  private final PayloadCodecs codecs;
  private final UnaryOperator<Insert> tracing;

  /** A template of a queue, for applications with several. */
  public EntroQTemplate(EntroQ queue, JsonMapper mapper) {
    this(queue, mapper, UnaryOperator.identity());
  }

  /**
   * @param tracing gives an insert the current trace, if it does not go to the queue from here
   */
  EntroQTemplate(EntroQ queue, JsonMapper mapper, UnaryOperator<Insert> tracing) {
    this.queue = queue;
    this.tracing = tracing;
    codecs = new PayloadCodecs(mapper);
  }

  EntroQ queue() {
    return queue;
  }

  Insert traced(Insert insert) {
    return tracing.apply(insert);
  }

  /** {@link #enqueue(String, Object, UnaryOperator)} of a task that is available immediately. */
  public TaskId enqueue(String queueName, Object payload) {
    return enqueue(queueName, payload, UnaryOperator.identity());
  }

  /**
   * Enqueues a task, and returns when the queue has it, as durable as it promises.
   *
   * @param options sets the delay, the id, how long the task lives and so on
   * @return the id of the task
   * @throws EntroQException.Codec if the payload cannot be encoded
   * @throws EntroQException.Dependency if there is a task with this id already
   * @throws EntroQException.Unavailable if the queue cannot be reached; nothing was done
   * @throws EntroQException.OutcomeUnknown if the reply was lost; use an id to repeat it safely
   */
  public TaskId enqueue(String queueName, Object payload, UnaryOperator<Insert> options) {
    Insert insert = options.apply(insert(queueName, payload));
    return queue.modify(Modification.insert(insert)).orThrow().inserted().get(0).id();
  }

  /**
   * The insert of such a task, to be part of a modification: several tasks at once, or the result
   * of a listener.
   *
   * @throws EntroQException.Codec if the payload cannot be encoded
   */
  public Insert insert(String queueName, Object payload) {
    Objects.requireNonNull(payload, "payload");
    return Insert.into(queueName).withValue(codecs.of(payload.getClass()).encode(payload));
  }
}
