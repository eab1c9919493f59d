/** What is shown of an import while it goes on. For one thread. */
package io.entroq.tools.importing.view;
