package io.entroq.codec;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** The same with many more messages. */
@Tag("long")
@Timeout(300)
class CodecPropertyLongTest extends CodecPropertyTest {
  @Override
  int times() {
    return 10;
  }
}
