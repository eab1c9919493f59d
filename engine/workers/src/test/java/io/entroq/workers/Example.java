package io.entroq.workers;

import io.entroq.api.EntroQ;
import io.entroq.api.worker.Worker;
import java.util.Locale;

/** What the page shows. */
final class Example {
  private Example() {}

  static Worker call(EntroQ queue) {
    Worker worker =
        Worker.on(queue)
            .from("calls")
            .concurrency(4)
            .start(
                HttpRequestHandler.to(
                    Destinations.hosts("api.example.com"), Results.to("replies")));
    return worker;
  }

  static MapHandler<String> map() {
    return MapHandler.of(String.class, name -> name.toUpperCase(Locale.ROOT), Results.standard());
  }
}
