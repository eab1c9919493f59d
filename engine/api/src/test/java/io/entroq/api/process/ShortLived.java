package io.entroq.api.process;

import java.util.List;

/** JVMs that end soon. */
public final class ShortLived {
  /**
   * They end before what a better compiler makes of their code, or to verify what javac has just
   * written, would pay for it. Those of the build's own tests are in its pom.
   */
  public static final List<String> FLAGS =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  private ShortLived() {}
}
