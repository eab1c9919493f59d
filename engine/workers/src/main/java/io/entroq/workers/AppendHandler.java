package io.entroq.workers;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.OutcomeException;
import io.entroq.api.worker.WorkContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Appends each task to a file, one line of JSON each: {@code {"id", "queue", "created", "value"}},
 * or {@code "bytes"} in base64 in place of {@code "value"} if the value is not JSON.
 *
 * <p>A line is forced to disk before its task is deleted. A line that a crash left incomplete is
 * cut off when the file is opened again.
 *
 * <p>If the work on a task is repeated, its line is not appended again if it is among the 10,000
 * that were appended last, here or before a restart. So a task has one line, unless several
 * appenders with files of their own work on its queue, or it is repeated much later. Only one
 * process can append to a file.
 *
 * <p>Close it after its workers.
 */
public final class AppendHandler implements Handler<Value>, AutoCloseable {
  /** Works that are repeated were among the last. */
  private static final int REMEMBERED_MAX = 10_000;

  private final AppendFile file;
  private final Optional<String> outbox;

  @SuppressWarnings("ArrayRecordComponent") // Only written, as JSON.
  private record Line(
      String id,
      String queue,
      String created,
      @JsonInclude(JsonInclude.Include.NON_NULL) JsonNode value,
      @JsonInclude(JsonInclude.Include.NON_NULL) byte[] bytes) {}

  private record Output(String file, String id) {}

  private AppendHandler(AppendFile file, Optional<String> outbox) {
    this.file = file;
    this.outbox = outbox;
  }

  /**
   * Opens a file, and creates it if there is none.
   *
   * @param file its directory exists; must not be a link
   * @param fileBytesMax a file that has reached this size is renamed to its name followed by a dot
   *     and the next number, and a new one is begun; 0 for never, else at least 4,096
   * @throws IOException if it cannot be opened, or is in use by another process
   */
  public static AppendHandler to(Path file, long fileBytesMax) throws IOException {
    if (fileBytesMax != 0) {
      Limits.count("file bytes", fileBytesMax, 4_096, Long.MAX_VALUE);
    }
    return new AppendHandler(
        AppendFile.open(file.toAbsolutePath(), fileBytesMax, REMEMBERED_MAX), Optional.empty());
  }

  /**
   * Inserts {@code {"file", "id"}} into this queue, in the Modify that deletes the task. The same
   * file, which is closed once.
   */
  public AppendHandler withOutbox(String queue) {
    Results.to(queue);
    return new AppendHandler(file, Optional.of(queue));
  }

  @Override
  public Outcome handle(WorkContext<Value> work) throws IOException {
    Task task = work.task();
    file.append(Json.workKey(task), line(task));
    return outbox
        .map(
            queue ->
                Outcome.done(
                    Modification.insert(
                        queue, Json.write(new Output(file.name(), task.id().text())))))
        .orElseGet(Outcome::done);
  }

  private static byte[] line(Task task) throws JsonProcessingException {
    JsonNode json = null;
    byte[] bytes = null;
    if (task.value().isAbsent()) {
      json = Json.MAPPER.nullNode();
    } else {
      try {
        json = Json.read(task.value());
      } catch (OutcomeException e) {
        bytes = task.value().toBytes();
      }
    }
    return Json.MAPPER.writeValueAsBytes(
        new Line(task.id().text(), task.queue(), task.created().toString(), json, bytes));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
