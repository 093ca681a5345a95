/** Loading data by script tags, the only way that works in a page opened from a disk. */
import { unpack } from "./unpack";

const brought = new Map<string, string>();
window.mummerClip = (key, content) => void brought.set(key, content);
window.mummerBody = (key, content) => void brought.set(key, content);

/** The content of a script of the page, unpacked; it is not kept, a second call loads it again. */
export async function bring(file: string): Promise<ArrayBuffer> {
  await loaded(file);
  const content = brought.get(file);
  brought.delete(file);
  if (content === undefined) throw new Error(`${file} brought nothing`);
  return unpack(content);
}

function loaded(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = file;
    script.onload = () => {
      script.remove();
      resolve();
    };
    script.onerror = () => {
      script.remove();
      reject(new Error(`${file} cannot be loaded; is it still beside the page?`));
    };
    document.head.append(script);
  });
}
