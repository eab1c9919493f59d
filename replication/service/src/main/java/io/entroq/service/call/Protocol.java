package io.entroq.service.call;

import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import java.util.List;

/**
 * The protocol of the v1 API that a request declares in a header. The header is optional, since
 * clients from before protocol 2 know nothing of it.
 *
 * <p>Every answer announces the served protocols and the server's release: {@link #HEADER} and
 * {@link #RELEASE_HEADER}.
 */
public enum Protocol {
  /** None is declared: protocol 1. */
  UNDECLARED(1),

  ONE(1),

  /** Arrival times are durations, and changes have modes. */
  TWO(2);

  /** Of a request: the declared protocol. Of an answer: {@link #SERVED}. */
  public static final String HEADER = "entroq-protocol";

  /** Of an answer: {@link #RELEASE}. */
  public static final String RELEASE_HEADER = "entroq-version";

  /** The served protocols, ascending. */
  public static final String SERVED = "1,2";

  /** The version of this build. */
  public static final String RELEASE = release();

  private static final int CHARS_QUOTED = 32;

  private final int number;

  Protocol(int number) {
    this.number = number;
  }

  /**
   * The protocol that a request declares.
   *
   * @throws RefusedException INVALID_ARGUMENT if it does not declare one number, UNIMPLEMENTED if
   *     the protocol is not served
   */
  public static Protocol of(Headers headers) {
    List<String> values = headers.all(HEADER);
    if (values.isEmpty()) {
      return UNDECLARED;
    }
    String text = values.size() == 1 ? values.get(0) : String.join(",", values);
    if (text.equals("2")) {
      return TWO;
    }
    if (text.equals("1")) {
      return ONE;
    }
    throw new RefusedException(isNumber(text) ? unserved(text) : malformed(text));
  }

  /** Whether it is a decimal number from 1. */
  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.charAt(0) != '0'
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static Refusal malformed(String text) {
    return Refusal.invalid(
        "a request declares one protocol in %s, got \"%s\"".formatted(HEADER, quoted(text)));
  }

  /** No protocol below the lowest served one exists. */
  private static Refusal unserved(String number) {
    return new Refusal(
        Status.Code.UNIMPLEMENTED,
        "this server serves EntroQ protocols %s, not %s: upgrade the server"
            .formatted(SERVED, quoted(number)));
  }

  private static String quoted(String text) {
    return text.length() <= CHARS_QUOTED ? text : text.substring(0, CHARS_QUOTED) + "...";
  }

  private static String release() {
    String version = Protocol.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /**
   * The refusal of a request in JSON that has what no served protocol has.
   *
   * @param unknown says what
   */
  public static Refusal unknown(String unknown) {
    return Refusal.invalid(
        "request does not match what this server, %s, serves (protocols %s): %s"
            .formatted(RELEASE, SERVED, unknown));
  }

  /** From 1. */
  public int number() {
    return number;
  }

  /** Whether the request has the header, so that its client is one of protocol 2 or later. */
  public boolean isDeclared() {
    return this != UNDECLARED;
  }

  /** Whether it has what came with protocol 2. */
  public boolean isTwo() {
    return this == TWO;
  }
}
