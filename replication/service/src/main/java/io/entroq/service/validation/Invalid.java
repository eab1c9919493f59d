package io.entroq.service.validation;

import io.entroq.service.call.Protocol;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;

/** What is wrong with a request. Clients of EntroQ know these texts. */
final class Invalid {
  private Invalid() {}

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more library
  static RefusedException because(String reason, Object... values) {
    return new RefusedException(Refusal.invalid(reason.formatted(values)));
  }

  /** Something that no protocol defines yet. */
  static RefusedException unimplemented(String what) {
    return new RefusedException(
        new Refusal(Status.Code.UNIMPLEMENTED, what + " is not supported yet"));
  }

  /** Something that came with protocol 2. */
  static RefusedException needsTwo(String what, Protocol declared) {
    return because("%s protocol 2, and the request declares protocol %d", what, declared.number());
  }

  /** Checks the length of a text that the server would store. */
  static void requireShort(String what, String text, int bytesMax) {
    // No char has more than three bytes.
    if (text.length() > bytesMax / 3) {
      int bytes = utf8Bytes(text);
      if (bytes > bytesMax) {
        throw because("%s is %d bytes, limit is %d", what, bytes, bytesMax);
      }
    }
  }

  private static int utf8Bytes(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // A surrogate is one half of four bytes.
        bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return bytes;
  }
}
