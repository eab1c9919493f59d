package io.entroq.tools.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class PlainLineTest {
  @Test
  void shouldLetNothingThroughThatATerminalObeys() {
    assertThat(PlainLine.of("a\u001b[2Jb\u009b2Jc\u0085d\te\nf\u007fg\u0000"))
        .isEqualTo("a?[2Jb?2Jc?d?e?f?g?");
    for (int i = 0; i < 0x100; i++) {
      char one = (char) i;
      assertThat(PlainLine.of("" + one)).isEqualTo(Character.isISOControl(i) ? "?" : "" + one);
    }
  }

  @Test
  void shouldLeaveOtherTextAsItIs() {
    String text = "caf\u00e9 \u65e5\u672c \ud83d\ude00 $1 \\\\ ?";
    assertThat(PlainLine.of(text)).isEqualTo(text);
  }

  @Test
  void shouldPrintOneLine() {
    StringWriter out = new StringWriter();
    PlainLine.print(new PrintWriter(out), "one\r\ntwo");
    assertThat(out.toString()).isEqualTo("one??two" + System.lineSeparator());
  }
}
