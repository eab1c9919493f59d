package io.entroq.workers;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import java.time.Duration;

/**
 * What a gateway goes by with each task; see {@link WorkGateway.Builder}.
 *
 * @param maxAttempts 0 for any number
 * @param errorQueue a template
 */
record GatewayRules(
    Duration lease,
    int maxAttempts,
    String errorQueue,
    Duration retryDelay,
    boolean takesDocs,
    boolean tellsSuccess,
    boolean tellsDependency) {
  /** In the template, the queue of the task. */
  static final String INBOX = "{inbox}";

  String errorQueue(String queue) {
    return errorQueue.replace(INBOX, queue);
  }

  /** Whether one more failure is one too many. */
  boolean isLastAttempt(Task task) {
    return maxAttempts > 0 && task.attempt() + 1 >= maxAttempts;
  }

  /**
   * The queue that an answer names for its task, by default the error queue.
   *
   * @throws io.entroq.api.EntroQException.InvalidArgument if that is not possible
   */
  String target(Task task, JsonNode answer, String name) {
    String queue = GatewayJson.text(answer, name);
    return queue.isEmpty() ? errorQueue(task.queue()) : TaskQuery.in(queue).queue();
  }
}
