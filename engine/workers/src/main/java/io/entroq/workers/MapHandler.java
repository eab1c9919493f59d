package io.entroq.workers;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.WorkContext;
import java.util.Objects;

/**
 * Applies a function to the value of each task.
 *
 * <p>A task has the value {@code {"val": …}}. Its result is {@code {"val": …, "err": ""}}, or
 * {@code {"val": null, "err": "…"}} if the function threw, as those of EntroQ's map worker.
 *
 * <pre>{@code
 * Worker.on(queue)
 *     .from("names")
 *     .start(MapHandler.of(String.class, name -> name.toUpperCase(Locale.ROOT), Results.standard()));
 * }</pre>
 *
 * <p>The function may run more than once for a task; one result is inserted.
 *
 * @param <T> the type of {@code val}
 */
public final class MapHandler<T> implements Handler<Value> {
  /**
   * The function. Must be thread-safe.
   *
   * @param <T> the type of {@code val} of a task, read by Jackson
   */
  @FunctionalInterface
  public interface Mapping<T> {
    /**
     * Maps a value.
     *
     * @param value null if the task's is null or absent
     * @return what Jackson writes as {@code val} of the result; may be null
     * @throws Exception the work failed
     */
    Object map(T value) throws Exception;
  }

  private record Input(JsonNode val, String outbox, String errbox) {}

  private record Output(Object val, String err) {}

  private final Class<T> type;
  private final Mapping<? super T> mapping;
  private final Results results;

  private MapHandler(Class<T> type, Mapping<? super T> mapping, Results results) {
    this.type = Objects.requireNonNull(type, "type");
    this.mapping = Objects.requireNonNull(mapping, "mapping");
    this.results = Objects.requireNonNull(results, "results");
  }

  /** Maps values of this type; a task with another one is quarantined. */
  public static <T> MapHandler<T> of(Class<T> type, Mapping<? super T> mapping, Results results) {
    return new MapHandler<>(type, mapping, results);
  }

  @Override
  public Outcome handle(WorkContext<Value> work) throws Exception {
    Input input = Json.read(work.value(), Input.class);
    Results.Destination destination = results.of(work.task(), input.outbox(), input.errbox());
    T value = input.val() == null ? null : Json.convert(input.val(), type);
    Object mapped;
    try {
      mapped = mapping.map(value);
    } catch (InterruptedException | OutcomeException e) {
      throw e;
    } catch (Exception e) {
      String reason = Results.shorten(e.getMessage() == null ? e.toString() : e.getMessage());
      return results.repeats(work.task())
          ? Outcome.retry(reason)
          : destination.failed("", new Output(null, reason));
    }
    return destination.done(new Output(mapped, ""));
  }
}
