export const metadata = { title: 'Hello', description: 'A page that says hello' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
