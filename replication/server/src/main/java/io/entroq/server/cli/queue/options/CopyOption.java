package io.entroq.server.cli.queue.options;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Lets a command copy all tasks from another machine without encryption. */
public final class CopyOption {
  @Option(
      names = "--insecure-copies",
      description = "Copy all tasks from another machine without TLS.")
  private boolean isInsecure;

  /**
   * Checks that nobody else can read what is copied.
   *
   * @param isEncrypted whether connections use TLS
   * @param addresses of the servers to copy from, as HOST:PORT
   * @throws ParameterException if others could, and the option is not given
   */
  public void check(CommandLine command, boolean isEncrypted, List<String> addresses) {
    if (isEncrypted || isInsecure) {
      return;
    }
    for (String address : addresses) {
      if (!isLocal(address.substring(0, address.lastIndexOf(':')))) {
        throw new ParameterException(
            command,
            ("all tasks would be copied from %s without encryption. Use TLS (-S or --tls-ca), or add"
                    + " --insecure-copies if nobody else reads this network")
                .formatted(address));
      }
    }
  }

  private static boolean isLocal(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
