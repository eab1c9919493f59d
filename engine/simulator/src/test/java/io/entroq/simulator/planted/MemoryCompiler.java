package io.entroq.simulator.planted;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles sources against the class path of the tests and keeps the classes in memory. */
final class MemoryCompiler {
  private static final List<String> OPTIONS =
      List.of(
          "-proc:none",
          "-nowarn",
          "-g",
          "-source",
          "17",
          "-target",
          "17",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "-classpath",
          System.getProperty("java.class.path"));

  /** Shared, because it caches the content of the jars on the class path. */
  private static final StandardJavaFileManager FILES =
      ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null);

  private MemoryCompiler() {}

  /**
   * Compiles some sources together.
   *
   * @param sources by the name of the class
   * @return the classes and those nested in them, by name
   * @throws IllegalStateException if they do not compile
   */
  static synchronized Map<String, byte[]> compile(Map<String, String> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Output output = new Output(FILES);
    StringWriter messages = new StringWriter();
    List<Source> units = new ArrayList<>();
    sources.forEach((className, text) -> units.add(new Source(className, text)));
    if (!compiler.getTask(messages, output, null, OPTIONS, null, units).call()) {
      throw new IllegalStateException("does not compile:\n" + messages);
    }
    Map<String, byte[]> classes = new HashMap<>();
    output.classes.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("memory:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    Output(JavaFileManager manager) {
      super(manager);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          classes.put(className, bytes);
          return bytes;
        }
      };
    }
  }
}
