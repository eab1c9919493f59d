package io.entroq.api.spi;

import io.entroq.api.EntroQ;
import io.entroq.api.conformance.EntroQConformance;
import io.entroq.api.conformance.QueueUnderTest;
import io.entroq.api.fake.FakeEntroQ;
import java.time.Duration;

/** A queue that is observed does what it did. */
class ObservedConformanceTest extends EntroQConformance {
  @Override
  protected QueueUnderTest open(long queueTasksMax) {
    FakeEntroQ fake = new FakeEntroQ();
    fake.setQueueTasksMax(queueTasksMax);
    EntroQ observed = new ObservedQueue(fake, request -> {});
    return new QueueUnderTest() {
      @Override
      public EntroQ queue() {
        return observed;
      }

      @Override
      public void advance(Duration duration) {
        fake.advance(duration);
      }

      @Override
      public boolean hold() {
        fake.hold();
        return true;
      }

      @Override
      public void goOn() {
        fake.goOn();
      }
    };
  }
}
