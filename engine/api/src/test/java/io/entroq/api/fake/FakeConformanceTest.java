package io.entroq.api.fake;

import io.entroq.api.EntroQ;
import io.entroq.api.conformance.EntroQConformance;
import io.entroq.api.conformance.QueueUnderTest;
import java.time.Duration;

/** The fake is held to what every EntroQ is held to. */
public class FakeConformanceTest extends EntroQConformance {
  /** What is tested; a subclass may put something in front of the fake. */
  protected EntroQ inFrontOf(FakeEntroQ fake) {
    return fake;
  }

  @Override
  protected QueueUnderTest open(long queueTasksMax) {
    FakeEntroQ fake = new FakeEntroQ();
    fake.setQueueTasksMax(queueTasksMax);
    EntroQ queue = inFrontOf(fake);
    return new QueueUnderTest() {
      @Override
      public EntroQ queue() {
        return queue;
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
