package io.entroq.api.spi;

import io.entroq.api.EntroQ;
import io.entroq.api.fake.FakeConformanceTest;
import io.entroq.api.fake.FakeEntroQ;

/** A queue that is observed does what it did. */
class ObservedConformanceTest extends FakeConformanceTest {
  @Override
  protected EntroQ inFrontOf(FakeEntroQ fake) {
    return new ObservedQueue(fake, request -> {});
  }
}
