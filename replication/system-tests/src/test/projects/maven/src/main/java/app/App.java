package app;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Path;
import java.time.Duration;

public class App {
  public static void main(String[] args) throws InterruptedException {
    try (EntroQ queue = EmbeddedEntroQ.open(Path.of("data"))) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
      Task task = queue.claim(Claim.from("inbox").withLease(Duration.ofSeconds(30)));
      queue.modify(Modification.delete(task)).orThrow();
      System.out.println(task.value().asText());
    }
  }
}
